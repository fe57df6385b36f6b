-- CreateTable
CREATE TABLE "schema_compatibility" (
    "id" INTEGER NOT NULL,
    "compatible_from" TEXT NOT NULL,

    CONSTRAINT "schema_compatibility_pkey" PRIMARY KEY ("id")
);
