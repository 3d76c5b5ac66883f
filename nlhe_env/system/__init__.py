"""Files written whole, standard streams, command lines, and what the machine has."""
