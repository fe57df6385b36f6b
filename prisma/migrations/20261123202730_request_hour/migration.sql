-- CreateTable
CREATE UNLOGGED TABLE "request_hour" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "status" INTEGER NOT NULL,
    "requests" BIGINT NOT NULL,
    "ms" BIGINT NOT NULL,
    "slowest_ms" INTEGER NOT NULL,

    CONSTRAINT "request_hour_pkey" PRIMARY KEY ("hour","owner_id","key_id","status")
);
