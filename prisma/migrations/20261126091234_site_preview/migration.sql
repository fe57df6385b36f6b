-- AlterTable
ALTER TABLE "site_version" ADD COLUMN     "preview" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "site_version_preview_key" ON "site_version"("preview");
