/** Remote calls that both agents know, and the memory that ignores a call seen before (docs/wire/agents.md 7.2). */
import { fieldsOf, isFields } from '@vigil/contract/fields.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrintFile } from './printer.ts'
import type { Flavour, Host } from './flavour.ts'
import { textOf, type PassthruCall, type PassthruReply } from './types.ts'

/** What Moonraker takes to answer its agent. */
const MOONRAKER_MS = 15

/** Answers `passthru` messages. */
export function createPassthru(host: Host, flavour: Flavour): (message: unknown) => Promise<void> {
  const seen: string[] = []
  return async (message) => {
    const call = readCall(message)
    if (!call) return
    if (call.ref !== undefined) {
      if (seen.includes(call.ref)) return
      seen.push(call.ref)
      if (seen.length > flavour.duplicateMemory) seen.shift()
    }
    const work = perform(host, flavour, call).then((reply) => {
      if (reply && call.ref !== undefined) host.post({ passthru: { ref: call.ref, ...reply } })
    })
    if (flavour.callsBlockReader) await work
    else void work.catch((error: unknown) => host.note('call failed', { error: String(error) }))
  }
}

function readCall(message: unknown): PassthruCall | null {
  if (!isFields(message)) return null
  const { ref, target, func, args, kwargs } = message
  const call = {
    target: textOf(target),
    func: textOf(func),
    args: Array.isArray(args) ? args : [],
    kwargs: { ...fieldsOf(kwargs) },
  }
  return ref === undefined ? call : { ...call, ref: textOf(ref) }
}

async function perform(host: Host, flavour: Flavour, call: PassthruCall): Promise<PassthruReply> {
  switch (`${call.target}.${call.func}`) {
    case 'file_downloader.download':
      return download(host, flavour, call.args[0] as CloudFile)
    case 'file_operations.start_printer_local_print':
      return startLocal(host, flavour, call.args[0] as { url?: string; agent_signature?: string })
    case 'jpeg_poster.web_snapshot_request': {
      const picture = await host.camera.snapshot(host.scene())
      return { ret: { pic: picture.toString('base64') } }
    }
    case 'webcam_streamer.shutdown':
      return { ret: 'ok' }
    default:
      // Moonraker is asked by HTTP.
      if (!flavour.callsBlockReader) await sleep(MOONRAKER_MS)
      return flavour.call(call)
  }
}

interface CloudFile {
  id: number
  url: string
  filename: string
  safe_filename: string
}

/** Print from cloud: answers at once and works on behind (docs/wire/agents.md 7.2). */
function download(host: Host, flavour: Flavour, file: CloudFile): PassthruReply {
  if (host.printer.state !== 'operational') return { error: flavour.busyError }
  flavour.setDownloading(true)
  const name = (file.safe_filename || file.filename).replace(/[/\\]/g, '_').replace(/^\.+/, '')
  fetchAndPrint(host, flavour, file, name).catch((error: unknown) => {
    host.note('download failed', { error: String(error) })
    flavour.setDownloading(false)
  })
  return { ret: { target_path: host.flavourName === 'klipper' ? file.filename : file.safe_filename } }
}

async function fetchAndPrint(host: Host, flavour: Flavour, file: CloudFile, name: string): Promise<void> {
  const reply = await host.http.fetch(file.url)
  if (reply.status >= 300) throw new Error(`${file.url} answered ${reply.status}`)
  const stored: PrintFile = {
    name,
    path: `${flavour.uploadFolder}/${name}`,
    text: flavour.stores(reply.body),
    modified: host.now(),
  }
  host.files.set(stored.path, stored)
  const identity: [string, string][] = [
    ['safe_filename', name],
    ['agent_signature', flavour.signature(stored)],
  ]
  const patch = await host.http.call('PATCH', `/api/v1/octo/g_code_files/${file.id}/`, {
    form: host.flavourName === 'klipper' ? identity : identity.toReversed(),
  })
  // The Klipper agent gives up when the server doesn't know the file, the OctoPrint one goes on.
  if (patch.status >= 300 && host.flavourName === 'klipper') throw new Error(`PATCH answered ${patch.status}`)
  if (!host.printer.start(stored)) throw new Error('The printer is busy')
}

function startLocal(
  host: Host,
  flavour: Flavour,
  wanted: { url?: string; agent_signature?: string },
): PassthruReply {
  const fail = (text: string): PassthruReply =>
    host.flavourName === 'klipper' ? { error: text } : { ret: { error: text } }
  const file = host.files.get(textOf(wanted.url))
  if (!file || flavour.signature(file) !== wanted.agent_signature)
    return fail('File has been modified! Did you move, delete, or overwrite this file?')
  return host.printer.start(file) ? { ret: 'Success' } : fail(flavour.busyError)
}

/** What both agents post about a file before they say that its print began; the record's id, or null (docs/wire/agents.md 3.4). */
export async function registerFile(host: Host, flavour: Flavour, file: PrintFile): Promise<number | null> {
  try {
    const reply = await host.http.call('POST', '/api/v1/octo/g_code_files/', {
      form: [
        ['filename', file.name],
        ['safe_filename', file.name],
        ['num_bytes', String(Buffer.byteLength(file.text))],
        ['agent_signature', flavour.signature(file)],
        ['url', file.path],
      ],
    })
    if (reply.status >= 300) return null
    const { id } = fieldsOf(reply.json())
    return typeof id === 'number' ? id : null
  } catch {
    return null
  }
}

const UPLOADED_BEFORE = new WeakMap<Host, string[]>()

/** An error of the printer: a toast for browsers each time, an upload once a title (docs/wire/agents.md 3.3, 7.3). */
export async function reportPrinterError(host: Host, title: string, text: string): Promise<void> {
  const event = { event_title: title, event_text: text, event_type: 'PRINTER_ERROR', event_class: 'ERROR' }
  host.post({ passthru: { printer_event: event } })
  const titles = UPLOADED_BEFORE.get(host) ?? []
  if (titles.includes(title)) return
  UPLOADED_BEFORE.set(host, [...titles, title].slice(-20))
  const bytes = await host.camera.snapshot(host.scene())
  await host.http.call('POST', '/api/v1/octo/printer_events/', {
    form: Object.entries(event),
    file: { name: 'snapshot', bytes },
  })
}
