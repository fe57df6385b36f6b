ALTER TABLE spend_limit VALIDATE CONSTRAINT spend_limit_check;
CREATE TRIGGER budgets_of_new_key AFTER INSERT ON "key" FOR EACH ROW WHEN (new.tags <> '{}') EXECUTE FUNCTION budgets_of_key();
CREATE TRIGGER budgets_of_changed_key AFTER UPDATE OF tags ON "key" FOR EACH ROW WHEN (old.tags IS DISTINCT FROM new.tags) EXECUTE FUNCTION budgets_of_key();
