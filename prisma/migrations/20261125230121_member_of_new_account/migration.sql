-- From here on whoever opens an account is its owner, also where a process of 0.1.0 opens it.
CREATE TRIGGER member_of_new_account AFTER INSERT ON account FOR EACH ROW EXECUTE FUNCTION member_of_new_account();
