"""The equity calculator: ranges against each other, counted or drawn."""
