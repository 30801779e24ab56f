"""Write it down once: from the devices through the log and the gate into the lake.

Imports only `schemas`. The worker is handed the replay as an object and never imports it.
"""
