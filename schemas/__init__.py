"""What may be said: cards, money, places, events, findings, verdicts and cases.

Every other folder imports from here; this one imports nothing of Muckraker's.
"""
