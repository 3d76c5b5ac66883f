"""Statements about hands of language models, registered before these hands were looked at.

docs/results/rankings.md found its regularities in six tables. Three sources of public hands were
left out there, and had been seen by their file names and field names alone when these statements
were committed:

- LivePokerBench, ``logs-opensource``: three earlier tournaments of six seats;
- pokerbench, ``runs/12-31-25``: five games that its organisers withdrew (they stand in the history,
  at 8657962~1);
- llm-poker-arena, three sessions of six seats, about 160 hands, whose stacks are reset before
  every hand, so that a hand is a session. Its README ranks the six models after each session.

Statements:

1. At least 95% of the hands of each source can be read and agree with their results.
2. No order of two models is significant (Holm within a table, one in twenty) by money, all-in equity
   or AIVAT, in any of the five tables.
3. The standard deviation of a hand by money, all players of a source together, lies between 4 and 15
   big blinds.
4. AIVAT needs 39% to 62% of the hands for the same error, all players of a source together.
5. AIVAT does not bend results: of the differences of money and AIVAT of all players, divided by
   their standard errors, at most one in five is beyond 2.
6. By AIVAT, the published first of each session of llm-poker-arena is the best with less than 80%.

Usage: python registered.py SOURCES
"""
