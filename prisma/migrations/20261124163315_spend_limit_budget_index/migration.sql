CREATE INDEX CONCURRENTLY spend_limit_budget_id_id_idx ON spend_limit (budget_id, id) WHERE budget_id IS NOT NULL;
