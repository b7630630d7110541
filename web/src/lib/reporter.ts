import { createGate, envelopeOf, readDsn, reportOf } from '@vigil/contract/report.ts'

/** Tells the collector of one failure. */
export type Send = (error: unknown) => void

/** Whom this page reports to, and as what. */
export interface Reporting {
  dsn: string
  version: string
  /** The pattern of the page at hand, such as `/printers/$id/control/`. */
  route: () => string
}

const ASSETS = new URL('assets/', document.baseURI).href

/** Our files by their name; where this server is reached is nobody's business. */
function fileName(address: string): string | null {
  return address.startsWith(ASSETS) ? `assets/${address.slice(ASSETS.length)}` : null
}

/** Sends reports from this page. Loaded only where there is somebody to send them to. */
export function openReporter({ dsn, version, route }: Reporting): Send {
  const collector = readDsn(dsn)
  const admit = createGate()
  return (error) => {
    if (!collector || !(error instanceof Error)) return
    const made = reportOf(error, {
      platform: 'javascript',
      version,
      environment: import.meta.env.MODE,
      fileName,
      tags: { route: route() },
    })
    if (!admit(made)) return
    // No cookie, no referrer, and no answer that would have to be allowed to be read.
    void fetch(collector.address, {
      method: 'POST',
      mode: 'no-cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      keepalive: true,
      body: envelopeOf(made),
    }).catch(() => {})
  }
}
