CREATE INDEX CONCURRENTLY webhook_delivery_failed ON webhook_delivery (owner_id, created_at) WHERE status = 'failed';
