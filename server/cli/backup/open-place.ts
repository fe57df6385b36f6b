import path from 'node:path'
import { diskFolder } from '../../files/store'
import { bucketPlace } from './bucket-place'
import { folderPlace } from './folder-place'
import type { BackupPlace } from './place'

/** Opens what `--to`, `--from` or BACKUP_URL names: a folder, or `s3://…` as STORAGE_URL has it. */
export function openPlace(location: string): BackupPlace {
  const folder = diskFolder(location)
  return folder === null ? bucketPlace(location) : folderPlace(path.resolve(folder))
}
