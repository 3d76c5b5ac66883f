"""Teams of short programs: the program with the highest bid decides."""
