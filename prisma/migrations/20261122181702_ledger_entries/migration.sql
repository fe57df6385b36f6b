-- Grants, payments, corrections and refunds: everything but charges, which write nothing here.
CREATE INDEX ledger_owner_id_at_entry_idx ON ledger (owner_id, at, id) WHERE hold_id IS NULL OR amount > 0;
