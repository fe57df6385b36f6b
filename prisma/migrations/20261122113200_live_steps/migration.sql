-- CreateTable
CREATE UNLOGGED TABLE "watched_job" (
    "job_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "watched_job_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE UNLOGGED TABLE "live_step" (
    "job_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "run_id" UUID NOT NULL,
    "fence" INTEGER NOT NULL,
    "attempt_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "input" JSONB,
    "note" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "live_step_pkey" PRIMARY KEY ("job_id","index")
);

-- CreateTable
CREATE UNLOGGED TABLE "live_text" (
    "attempt_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT,
    "text" TEXT NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "live_text_pkey" PRIMARY KEY ("attempt_id","part")
);
