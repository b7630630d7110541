import { z } from 'zod'
import { readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { id, timestamp } from '../values.ts'
import { unseen } from '../watch/watch-code.ts'

const callers = ['session', 'oauth'] as const
const params = z.object({ id })

/** What the detector knew at one frame of the detective film, as its clients have always read it. */
export const framePrediction = z
  .object({
    model: z.literal('app.printerprediction'),
    /** The printer; 0 for an uploaded film. */
    pk: z.int(),
    fields: z.object({
      current_frame_num: z.int(),
      lifetime_frame_num: z.int(),
      current_p: z.number(),
      ewm_mean: z.number(),
      rolling_mean_long: z.number(),
      rolling_mean_short: z.number(),
      /** The gauge, 0 to 1. */
      normalized_p: z.number(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  })
  .meta({ id: 'FramePrediction' })
export type FramePrediction = z.infer<typeof framePrediction>

/** One element for each frame of the film, in order; `{}` where nobody looked. */
export const getPredictionJson = endpoint({
  method: 'GET',
  path: '/api/v1/prints/:id/prediction_json/',
  callers: readers,
  summary: 'What the detector knew at each frame of the time-lapse; `[]` where there is nothing',
  params,
  response: z.array(z.union([framePrediction, z.object({}).strict()])),
  answers: { 304: z.null() },
})

/**
 * What becomes of a print's time-lapse. `waiting`, `working`: it is being made, ask again in two seconds; `no_ffmpeg`: the
 * server has no ffmpeg, so the frames themselves are played, and videos follow when it has; `short`: the print was shorter than the
 * printer's settings want; `empty`: no picture came; `archived`: deleted for its age; `none`: the print runs, or is
 * older than time-lapses are.
 */
export const timelapseState = z.enum([
  'none',
  'waiting',
  'working',
  'no_ffmpeg',
  'ready',
  'short',
  'empty',
  'failed',
  'archived',
  'deleted',
])

/** How far a print's time-lapse is; its addresses are in the print itself. */
export const timelapse = z
  .object({
    state: timelapseState,
    /** 0 to 1. */
    progress: z.number(),
    /** Of the film; its length in seconds is frames / pictures_per_second. */
    frames: z.int(),
    pictures_per_second: z.int(),
    /** What videos, poster and figures weigh. */
    num_bytes: z.int(),
    /** Until then the frames themselves are kept, for replay; null when they have gone. */
    frames_until: timestamp.nullable(),
    /** From then on the videos are deleted; null: they stay. */
    videos_until: timestamp.nullable(),
    /** Kept on request, whatever its age. */
    kept: z.boolean(),
    /** When nobody looked, and why: the longest of it, in the order of time. */
    unseen: z.array(unseen),
    /** How often the detector warned in it. */
    issues: z.int(),
    /** Why an uploaded film was refused. */
    refusal: z.enum(['unreadable', 'too_large', 'too_long', 'no_pictures']).nullable(),
  })
  .meta({ id: 'Timelapse' })
export type Timelapse = z.infer<typeof timelapse>

export const getTimelapse = endpoint({
  method: 'GET',
  path: '/api/v1/prints/:id/timelapse/',
  callers: readers,
  summary: 'How far the time-lapse of a print is',
  params,
  response: timelapse,
})

/** A frame as it was stored, with what the detector said of it; the scores are null where it did not look. */
const printFrame = z.object({
  at: timestamp,
  image_url: z.string(),
  /** With what was found drawn on it; null where there is nothing to draw. */
  tagged_url: z.string().nullable(),
  /** Of the picture alone, 0 to 1. */
  p: z.number().nullable(),
  /** The gauge, 0 to 1. */
  normalized_p: z.number().nullable(),
  decision: z.enum(['none', 'warn', 'pause']).nullable(),
})
export type PrintFrame = z.infer<typeof printFrame>

/** The frames that a film is made of, to be played by themselves: as stored, so they have to be turned. */
export const printFrames = z
  .object({
    pictures_per_second: z.int(),
    /** As the camera hangs: mirrored left to right, top to bottom, then rotated clockwise by degrees. */
    turn: z.object({
      flip_h: z.boolean(),
      flip_v: z.boolean(),
      rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
    }),
    frames: z.array(printFrame),
  })
  .meta({ id: 'PrintFrames' })
export type PrintFrames = z.infer<typeof printFrames>

export const listPrintFrames = endpoint({
  method: 'GET',
  path: '/api/v1/prints/:id/frames/',
  callers: readers,
  summary: 'The frames of a print, as many as its film has; `[]` when they have gone',
  params,
  response: printFrames,
})

/** What the caller's time-lapses weigh, in bytes: pictures of ended prints, and what was made of them. */
export const timelapseStorage = z
  .object({ prints: z.int(), frame_bytes: z.int(), file_bytes: z.int() })
  .meta({ id: 'TimelapseStorage' })

export const getTimelapseStorage = endpoint({
  method: 'GET',
  path: '/api/v1/timelapses/storage/',
  callers,
  summary: "What the caller's time-lapses weigh",
  response: timelapseStorage,
})
