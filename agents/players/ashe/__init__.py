"""ASHE: evolved networks with memory that find out whom they play, heads-up in no-limit."""
