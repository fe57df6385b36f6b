CREATE INDEX CONCURRENTLY receipt_owner_id_customer_id_at_idx ON receipt (owner_id, customer_id, at) WHERE customer_id IS NOT NULL;
