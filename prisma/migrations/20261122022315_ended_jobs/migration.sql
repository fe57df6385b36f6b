-- By hand: schema.prisma does not say this.
-- Ended jobs by when they ended, for whoever ages out what they brought: the index on status and time is gone, since
-- live ones are found by job_live_idx.
CREATE INDEX job_ended_idx ON job (updated_at) WHERE status IN ('completed', 'failed', 'cancelled');
