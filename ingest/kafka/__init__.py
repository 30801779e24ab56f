"""The log in a Kafka cluster, and many workers that share it. docs/kafka.md."""
