"""From the order of the cards in the discard rack to the hands that were played, also when things went wrong."""
