-- The person who opens an account is its owner: a trigger of `account`.
CREATE OR REPLACE FUNCTION member_of_new_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO member (account_id, person_id, role) VALUES (new.owner_id, new.owner_id, 'owner') ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
