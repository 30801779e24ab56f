"""From events to rounds in columns, with what the table remembered of the rounds before."""
