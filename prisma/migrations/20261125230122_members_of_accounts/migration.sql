-- The accounts that were there: whoever signed in as one is its owner.
INSERT INTO member (account_id, person_id, role, joined_at)
  SELECT o.id, o.id, 'owner', o.created_at FROM owner o JOIN account a ON a.owner_id = o.id WHERE o.deleted_at IS NULL
  ON CONFLICT DO NOTHING;
ALTER TABLE "session" VALIDATE CONSTRAINT "session_account_id_owner_id_fkey";
ALTER TABLE "key" VALIDATE CONSTRAINT "key_person_id_fkey";
