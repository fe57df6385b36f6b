-- By hand: schema.prisma does not say this.
-- Ended runs are found by their turns. Without `updated_at` in any index, a step's update of its job stays on its page.
DROP INDEX job_ended_idx;
