-- Old results are found by turns, which end once. An index on job.updated_at, partial or not, would move a job's row to
-- another page with every step.
DROP INDEX job_ended_idx;
