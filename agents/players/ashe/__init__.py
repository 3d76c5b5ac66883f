"""ASHE: evolved recurrent networks that adapt to their opponent in heads-up no-limit."""
