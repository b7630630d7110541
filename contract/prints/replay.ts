import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, number, timestamp } from '../values.ts'
import { zone, zones } from '../printers/zones.ts'

const callers = ['session', 'oauth'] as const
const params = z.object({ id })
const path = '/api/v1/prints/:id/replay/'

/** The gauge over a print, as it was or as it would be. */
export const replayCurve = z
  .object({
    /** Seconds since the first look, rising; at most 1,000 points, each the highest of its stretch. */
    t: z.array(z.number()),
    /** 0 to 100. */
    gauge: z.array(z.number()),
    /** Seconds at which it first warned, and first paused; null: not at all. A pause is a warning too. */
    warned: z.number().nullable(),
    paused: z.number().nullable(),
    looks: z.int(),
    /** Looks at pictures that could not be judged. */
    blind: z.int(),
    models: z.array(z.string()),
  })
  .meta({ id: 'ReplayCurve' })
export type ReplayCurve = z.infer<typeof replayCurve>

/** Today's detector over the stored pictures of a print. */
export const replayRun = z
  .object({
    state: z.enum(['waiting', 'running', 'done', 'failed']),
    looked: z.int(),
    frames: z.int(),
    model: z.string().nullable(),
    done_at: timestamp.nullable(),
  })
  .meta({ id: 'ReplayRun' })
export type ReplayRun = z.infer<typeof replayRun>

/** A print, to be judged again (docs/detector.md). */
export const replay = z
  .object({
    print_id: z.int(),
    filename: z.string(),
    /** Of the first look; null when nothing was ever looked at. */
    started_at: timestamp.nullable(),
    /** Seconds from the first look to the last. */
    seconds: z.number(),
    was: replayCurve,
    /** Parts of the picture were left out then: what lies in them was never scored. */
    had_zones: z.boolean(),
    /** The printer's settings of today; null where the printer is gone. */
    printer: z
      .object({
        id: z.int(),
        name: z.string(),
        sensitivity: z.number(),
        zones: z.array(zone),
        has_learnt: z.boolean(),
      })
      .nullable(),
    /** Pictures that are still stored; none once they have expired. */
    frames: z.int(),
    run: replayRun.nullable(),
    /** The model that looks today. */
    model: z.string(),
  })
  .meta({ id: 'Replay' })
export type Replay = z.infer<typeof replay>

export const getReplay = endpoint({
  method: 'GET',
  path,
  callers,
  summary: 'A print as it was judged, and what there is to judge it again',
  params,
  response: replay,
})

export const decideAgain = endpoint({
  method: 'POST',
  path: `${path}decide/`,
  callers,
  summary:
    "Judge a print again with other settings, over its stored scores or over those of today's detector",
  params,
  body: z.object({
    sensitivity: number(0.8, 1.2).default(1),
    zones: zones.default([]),
    /** Whether what was learnt of the camera counts; else as on a printer that is new. */
    with_learnt: z.boolean().default(true),
    /** `run`: the scores of today's detector; `scores`: those of then. */
    over: z.enum(['run', 'scores']).default('scores'),
  }),
  response: replayCurve,
})

export const startReplay = endpoint({
  method: 'POST',
  path,
  callers,
  summary: "Have today's detector look at the stored pictures of a print; one print of an owner at a time",
  params,
  response: replayRun,
  status: 202,
})

/** How far it is, and nothing else: asked while it runs. */
export const getReplayRun = endpoint({
  method: 'GET',
  path: `${path}run/`,
  callers,
  summary: "How far today's detector is with the stored pictures of a print",
  params,
  response: z.object({ run: replayRun.nullable() }),
})

export const stopReplay = endpoint({
  method: 'DELETE',
  path,
  callers,
  summary: 'Give up, or forget, what the detector said again',
  params,
  response: null,
  status: 204,
})

export const getReplayFrame = endpoint({
  method: 'GET',
  path: `${path}frame/`,
  callers,
  summary: 'The stored picture nearest to a moment of a print, in seconds since its first look',
  params,
  query: z.object({ t: number(0, 1e9).default(0) }),
  response: z.object({ url: z.string().nullable(), t: z.number().nullable() }),
})
