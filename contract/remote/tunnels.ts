import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { printer } from '../printers/printers.ts'
import { id, text, timestamp } from '../values.ts'

/** A way to a printer's own page that its owner gave to an app (docs/wire/remote.md). */
export const tunnel = z
  .object({
    id: z.int(),
    app: z.string(),
    printer,
    /** The tunnel's name in its address. */
    subdomain_code: z.string().nullable(),
    /** The port that it alone has, where tunnels are told apart by ports. */
    port: z.int().nullable(),
    basicauth_username: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'Tunnel' })
export type Tunnel = z.infer<typeof tunnel>

/** Bytes of this month as agents sent them, compressed; a cap of -1 is none. */
export const tunnelUsage = z
  .object({
    total: z.int(),
    monthly_cap: z.number(),
    /** Until the 1st, at midnight where the user is. */
    reset_in_seconds: z.int(),
  })
  .meta({ id: 'TunnelUsage' })
export type TunnelUsage = z.infer<typeof tunnelUsage>

const callers = ['session', 'oauth'] as const
const one = z.object({ id })

export const listTunnels = endpoint({
  method: 'GET',
  path: '/api/v1/tunnels/',
  callers,
  summary: "Apps that may reach the caller's printers through the tunnel",
  response: z.array(tunnel),
})

export const getTunnel = endpoint({
  method: 'GET',
  path: '/api/v1/tunnels/:id/',
  callers,
  summary: 'One of them',
  params: one,
  response: tunnel,
})

/** 403 for a name that is ours, 503 where there is no way for another tunnel. */
export const createTunnel = endpoint({
  method: 'POST',
  path: '/api/v1/tunnels/',
  callers,
  summary: "Lets an app reach a printer's own page; the password in `tunnel_endpoint` is told this once",
  isPersonal: true,
  status: 201,
  body: z.object({
    app_name: text(64)
      .transform((value) => value.trim())
      .pipe(z.string().min(1, { error: 'This field may not be blank.' })),
    target_printer_id: id,
  }),
  /** `https://{user}:{password}@{host}` */
  response: z.object({ tunnel_endpoint: z.string() }),
})

export const deleteTunnel = endpoint({
  method: 'DELETE',
  path: '/api/v1/tunnels/:id/',
  callers,
  summary: 'Shuts an app out; what it has open ends at once',
  params: one,
  status: 204,
  response: null,
  evenWhenDiskIsFull: true,
})

export const getTunnelUsage = endpoint({
  method: 'GET',
  path: '/api/v1/tunnelusage/',
  callers,
  summary: "What the caller's tunnels have carried this month",
  response: tunnelUsage,
})
