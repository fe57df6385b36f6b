-- By hand: schema.prisma does not say this.
-- Without it, rows since the last vacuum are read one by one.
ALTER INDEX receipt_at_idx SET (autosummarize = on);
