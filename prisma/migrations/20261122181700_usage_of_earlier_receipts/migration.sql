-- Receipts from before, a month at a time. Holds no lock that a call waits for.
DO $$
BEGIN
  WHILE (SELECT more FROM usage_sum_up('30 days')) LOOP END LOOP;
END $$;
