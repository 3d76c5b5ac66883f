"""Teams of short programs: the program that bids most decides."""
