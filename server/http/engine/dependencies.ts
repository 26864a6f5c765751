import type { Database } from '../../database/database.ts'
import type { ThumbnailUploader } from '../../images/thumbnail-uploader.ts'
import type { InterviewCompletion } from '../../workflows/complete-interview.ts'

export type EngineDependencies = {
  database: Database
  clock: () => Date
  uploader: ThumbnailUploader
  completion: InterviewCompletion
  engineToken: string
  appUrl: string
}
