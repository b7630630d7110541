import { z } from 'zod'
import { flag, whole } from './setting-values.ts'

/** A folder by its whole path; or the address of a bucket, whose keys have settings of their own. */
function isPlace(text: string): boolean {
  if (text.startsWith('/')) return true
  if (!/^https?:\/\/[^/\s]{1,300}\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/?$/.test(text) || !URL.canParse(text))
    return false
  const { username, password, search } = new URL(text)
  return username === '' && password === '' && search === ''
}
/** `7,4,6`: days, weeks and months of which one is kept. */
const keepRule = z
  .string()
  .regex(/^\d{1,3}(?:,\d{1,3}){2}$/, 'must be three numbers, of days, weeks and months, such as 7,4,6')
  .transform((text) => {
    const [days = 0, weeks = 0, months = 0] = text.split(',').map(Number)
    return { days, weeks, months }
  })

/** Settings of where files are stored, for how long, what they may take, and of backups. */
export const storageSettings = {
  S3_URL: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET_PREFIX: z.string().default(''),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  FRAME_RETENTION_DAYS: whole(1, 3650).default(30),
  /** 0: for ever. In the enterprise edition the plan decides. */
  TIMELAPSE_RETENTION_MONTHS: whole(0, 1200).default(6),
  /** Absent: of the embedded database, and of no other. */
  BACKUP_NIGHTLY: flag.optional(),
  /** Where whole backups go: a folder, or the address of a bucket, `https://s3.example.org/bucket`. */
  BACKUP_TO: z
    .string()
    .refine(isPlace, 'must be a whole path, or https://host/bucket without keys in it')
    .optional(),
  BACKUP_PASSPHRASE: z.string().min(12, 'must have at least 12 characters').optional(),
  /** The newest of so many days, weeks and months stay. */
  BACKUP_KEEP: keepRule.default({ days: 7, weeks: 4, months: 6 }),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** What pictures of ended prints, and films, may take in all; 0: any. The oldest go. */
  STORAGE_PICTURES_GB: z.coerce.number().min(0).max(1_000_000).default(0),
  STORAGE_FILMS_GB: z.coerce.number().min(0).max(1_000_000).default(0),
  /** With less free on the disk, old pictures and films go before uploads are refused. */
  STORAGE_KEEP_FREE_MB: whole(0, 10_000_000).default(1024),
  /** Largest file that is sent to a printer's own page; a small computer at the printer holds it in memory several times. */
  TUNNEL_MAX_UPLOAD_MB: whole(1, 512).default(128),
  /** Room on the disk for files of printers' pages; 0: none is kept. */
  TUNNEL_CACHE_MB: whole(0, 65_536).default(256),
  MAX_INCOMING_MB: whole(16, 65_536).default(192),
}
