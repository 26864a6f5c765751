import type { Database } from '../../database/database.ts'
import type { RecentImages } from '../../images/recent-images.ts'
import type { ThumbnailChecker } from '../../images/thumbnail-checker.ts'
import type { UploadVerdict } from '../../images/thumbnail-uploader.ts'
import type { InterviewCompletion } from '../../workflows/complete-interview.ts'

export type EngineDependencies = {
  database: Database
  checker: ThumbnailChecker
  recentImages?: RecentImages | undefined
  clock: () => Date
  completion: InterviewCompletion
  engineToken: string
  appUrl: string
  /** How many processes share the load on this machine. */
  processes?: number
  imageUploaded?: ((verdict: UploadVerdict) => void) | undefined
}
