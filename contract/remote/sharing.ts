import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, orNull, text, timestamp } from '../values.ts'

/**
 * Sharing a printer's camera (docs/rules/remote.md; docs/rules/remote.md 1).
 *
 * Owner: `sharedresources/` is the old switch and knows the default link only; `share_links/` is the whole list.
 * 403 `{"detail": "Printer feed sharing is a Pro feature"}` to an owner without Pro in the enterprise edition.
 *
 * Viewer: `GET /api/v1p/printer/?share_token=`, then `/ws/share_token/web/{token}/`, which sends a `SharedPrinter`
 * at once and whenever it changed and ignores what it hears. A link that is unknown, ended or revoked, or whose
 * printer is archived or deleted, is 404 in both. A link with a PIN is 401 `{"detail", "pin_required": true}` in
 * both until `POST /api/v1p/printer/pin/` has set the viewer's cookie (HttpOnly, 12 hours). The socket is closed
 * with 4401 when the link ends, is revoked or gets another PIN: ask the GET again, it says which.
 *
 * An administrator who acts as the owner is told no `share_token` and no `url`: both are empty.
 */

const owner = ['session', 'oauth'] as const

export const sharedResource = z
  .object({ id: z.int(), printer_id: z.int(), share_token: z.string() })
  .meta({ id: 'SharedResource' })
export type SharedResource = z.infer<typeof sharedResource>

export const listShared = endpoint({
  method: 'GET',
  path: '/api/v1/sharedresources/',
  callers: owner,
  summary: "A printer's default share link: a list of none or one",
  query: z.object({ printer_id: id.optional() }),
  response: z.array(sharedResource),
})

export const enableSharing = endpoint({
  method: 'POST',
  path: '/api/v1/sharedresources/',
  callers: owner,
  isPersonal: true,
  summary: "Make a printer's default share link; asked twice, it is the same one",
  query: z.object({ printer_id: id.optional() }),
  body: z.object({ printer_id: id.optional() }),
  response: z.array(sharedResource),
})

const remove = <P extends `/${string}/`>(path: P) =>
  endpoint({
    method: 'DELETE',
    path,
    callers: owner,
    summary: 'Remove a share link; its viewers are disconnected at once',
    params: z.object({ id }),
    response: null,
    status: 204,
    evenWhenDiskIsFull: true,
  })

export const disableSharing = remove('/api/v1/sharedresources/:id/')

export const shareLink = z
  .object({
    id: z.int(),
    printer_id: z.int(),
    share_token: z.string(),
    /** Address of the public page. */
    url: z.string(),
    label: z.string(),
    /** The one that `sharedresources/` knows. */
    is_default: z.boolean(),
    ends_at: timestamp.nullable(),
    has_ended: z.boolean(),
    has_pin: z.boolean(),
    /** Open viewers' sockets right now, on all nodes. */
    viewers: z.int(),
    /** To the minute. */
    last_used_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ShareLink' })
export type ShareLink = z.infer<typeof shareLink>

/** What an owner may write of a share link; null takes the end or the PIN away. */
export const shareLinkWrite = z.object({
  label: text(100).trim(),
  ends_at: orNull(z.iso.datetime({ offset: true, error: 'This is not a date and time with an offset.' })),
  pin: orNull(
    text(12).min(4, 'This PIN needs 4 to 12 characters.').max(12, 'This PIN needs 4 to 12 characters.'),
  ),
})
export type ShareLinkWrite = z.infer<typeof shareLinkWrite>

export const listShareLinks = endpoint({
  method: 'GET',
  path: '/api/v1/printers/:id/share_links/',
  callers: owner,
  summary: 'All share links of a printer, by id, with their viewers and last use',
  params: z.object({ id }),
  response: z.array(shareLink),
})

export const createShareLink = endpoint({
  method: 'POST',
  path: '/api/v1/printers/:id/share_links/',
  callers: owner,
  isPersonal: true,
  summary: 'Add a share link',
  params: z.object({ id }),
  body: shareLinkWrite.partial(),
  response: shareLink,
  status: 201,
})

export const updateShareLink = endpoint({
  method: 'PATCH',
  path: '/api/v1/share_links/:id/',
  callers: owner,
  isPersonal: true,
  summary: 'Change label, end or PIN; another PIN disconnects the viewers',
  params: z.object({ id }),
  body: shareLinkWrite.partial(),
  response: shareLink,
})

export const deleteShareLink = remove('/api/v1/share_links/:id/')

/** A camera as a viewer needs it to play the video. */
export const sharedWebcam = z.object({
  name: z.string().optional(),
  is_primary_camera: z.boolean().optional(),
  is_nozzle_camera: z.boolean().optional(),
  stream_mode: z.string().nullish(),
  stream_id: z.union([z.string(), z.number()]).nullish(),
  data_channel_available: z.boolean().optional(),
  flipV: z.boolean().optional(),
  flipH: z.boolean().optional(),
  rotation: z.number().optional(),
  streamRatio: z.string().optional(),
})
export type SharedWebcam = z.infer<typeof sharedWebcam>

/** All that a viewer ever sees of a printer; also every frame of `/ws/share_token/web/{token}/`. */
export const sharedPrinter = z
  .object({
    name: z.string(),
    /** Without boxes; the address works as long as the link does. */
    pic: z.object({ img_url: z.string(), taken_at: timestamp }).nullable(),
    settings: z.object({
      webcams: z.array(sharedWebcam).optional(),
      data_channel_id: z.string(),
      ratio169: z.boolean(),
      webcam_flipV: z.boolean(),
      webcam_flipH: z.boolean(),
      webcam_rotation: z.number(),
      webcam_rotate90: z.boolean(),
      webcam_streamRatio: z.string(),
    }),
  })
  .meta({ id: 'SharedPrinter' })
export type SharedPrinter = z.infer<typeof sharedPrinter>

export const getSharedPrinter = endpoint({
  method: 'GET',
  path: '/api/v1p/printer/',
  callers: ['anyone'],
  summary:
    'What a share link shows; 404 without a live link, 401 with `pin_required` before its PIN was given',
  query: z.object({ share_token: z.string().optional() }),
  answers: { 401: z.object({ detail: z.string(), pin_required: z.literal(true) }) },
  response: sharedPrinter,
})

/** Wrong: 400 `{"pin": [..]}`. After five wrong ones from one address: 429 with Retry-After. */
export const unlockSharedPrinter = endpoint({
  method: 'POST',
  path: '/api/v1p/printer/pin/',
  callers: ['anyone'],
  summary: "Hand in a share link's PIN; sets the viewer's cookie",
  body: z.object({ share_token: z.string().max(200), pin: text(64) }),
  response: z.object({ succeeded: z.literal(true) }),
  evenWhenDiskIsFull: true,
})
