-- CreateTable
CREATE TABLE "owner" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "sessions_from" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "owner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login" (
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "login_pkey" PRIMARY KEY ("provider","subject")
);

-- CreateTable: unlogged, a counter needs no durability
CREATE UNLOGGED TABLE "rate_window" (
    "id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "rate_window_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "key" (
    "id" SERIAL NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "tools" TEXT[],
    "all_tools" BOOLEAN NOT NULL DEFAULT false,
    "llm" BOOLEAN NOT NULL DEFAULT false,
    "allowed_models" TEXT[],
    "agent" BOOLEAN NOT NULL DEFAULT false,
    "agent_run_budget_credits" BIGINT NOT NULL DEFAULT 5000,
    "capabilities" TEXT[],
    "budget" BIGINT,
    "spent" BIGINT NOT NULL DEFAULT 0,
    "held" BIGINT NOT NULL DEFAULT 0,
    "rpm" INTEGER NOT NULL DEFAULT 60,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "key_secret" (
    "hash" BYTEA NOT NULL,
    "key_id" INTEGER NOT NULL,
    "last4" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "key_secret_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "account" (
    "owner_id" INTEGER NOT NULL,
    "available" BIGINT NOT NULL DEFAULT 0,
    "held" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "account_pkey" PRIMARY KEY ("owner_id")
);

-- CreateTable
CREATE TABLE "spend_limit" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "cap" BIGINT NOT NULL,
    "spent" BIGINT NOT NULL DEFAULT 0,
    "held" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "spend_limit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "holder" (
    "id" UUID NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "holder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hold" (
    "id" UUID NOT NULL,
    "amount" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "holder_id" UUID NOT NULL,
    "limit_id" UUID,
    "owner_id" INTEGER NOT NULL,
    "key_id" INTEGER,
    "door" TEXT NOT NULL,
    "product" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "keeps_answer" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "hold_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "amount" BIGINT NOT NULL,
    "hold_id" UUID,
    "owner_id" INTEGER NOT NULL,
    "key_id" INTEGER,
    "note" TEXT,

    CONSTRAINT "ledger_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "receipt" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "held" BIGINT NOT NULL,
    "charged" BIGINT NOT NULL,
    "limit_id" UUID,
    "owner_id" INTEGER NOT NULL,
    "key_id" INTEGER,
    "status" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    "product" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "detail" JSONB,

    CONSTRAINT "receipt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency" (
    "key_id" INTEGER NOT NULL,
    "token" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "hold_id" UUID NOT NULL,
    "status" INTEGER,
    "answer" TEXT,
    "charged" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("key_id","token")
);

-- CreateTable
CREATE TABLE "file" (
    "id" TEXT NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "content_type" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "file_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "owner_email_key" ON "owner"("email");

-- CreateIndex
CREATE INDEX "login_owner_id_idx" ON "login"("owner_id");

-- CreateIndex
CREATE INDEX "key_owner_id_created_at_idx" ON "key"("owner_id", "created_at");

-- CreateIndex
CREATE INDEX "key_secret_key_id_idx" ON "key_secret"("key_id");

-- CreateIndex
CREATE INDEX "hold_holder_id_idx" ON "hold"("holder_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_hold_id_key" ON "ledger"("hold_id");

-- CreateIndex
CREATE INDEX "ledger_owner_id_at_idx" ON "ledger"("owner_id", "at");

-- CreateIndex
CREATE INDEX "receipt_owner_id_at_idx" ON "receipt"("owner_id", "at");

-- CreateIndex
CREATE INDEX "receipt_key_id_at_idx" ON "receipt"("key_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "idempotency_hold_id_key" ON "idempotency"("hold_id");

-- CreateIndex
CREATE INDEX "idempotency_created_at_idx" ON "idempotency"("created_at");

-- CreateIndex
CREATE INDEX "file_owner_id_created_at_idx" ON "file"("owner_id", "created_at");

-- AddForeignKey
ALTER TABLE "login" ADD CONSTRAINT "login_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "key" ADD CONSTRAINT "key_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "key_secret" ADD CONSTRAINT "key_secret_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file" ADD CONSTRAINT "file_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
