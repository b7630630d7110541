import { fork } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Backend } from './backends.ts'
import { readChecked } from './card.ts'
import { openDetector, SHIPPED_MODEL } from './detector.ts'
import { type Detector, DetectorUnavailable } from './port.ts'

/** Fetches an operator's own model by URL, hash-checked (docs/detector.md: never embedded, never mirrored). */

/** The largest model that is fetched, bytes. */
const MODEL_SIZE_LIMIT = 400 * 1024 * 1024

/**
 * Downloads a model into `folder` as `<sha256>.onnx` unless it is there already, and returns its path. Written
 * to a temporary file and renamed only when size and hash fit. Throws {@link DetectorUnavailable} otherwise.
 * @param url http or https
 * @param sha256 64 hex digits, mandatory
 */
export async function downloadModel(
  url: string,
  sha256: string,
  folder: string,
  signal: AbortSignal,
  sizeLimit = MODEL_SIZE_LIMIT,
): Promise<string> {
  const digest = sha256.toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(digest))
    throw new DetectorUnavailable('the SHA-256 of the model is not 64 hex digits')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new DetectorUnavailable('the model must come from an http or https address')
  }
  const path = join(folder, `${digest}.onnx`)
  if (await isThere(path, digest)) return path
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `.${digest}.${randomUUID()}.part`)
  try {
    const found = await fetchTo(temporary, url, signal, sizeLimit)
    if (found !== digest)
      throw new DetectorUnavailable(`the model at ${url} has SHA-256 ${found}, not ${digest}`)
    await rename(temporary, path)
    return path
  } finally {
    await rm(temporary, { force: true })
  }
}

async function isThere(path: string, digest: string): Promise<boolean> {
  return readChecked(path, digest).then(
    () => true,
    () => false,
  )
}

/** Streams the body into a file, synced; returns its SHA-256 in hex. */
async function fetchTo(path: string, url: string, signal: AbortSignal, sizeLimit: number): Promise<string> {
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    throw new DetectorUnavailable(`the model at ${url} can't be reached`, { cause: error })
  })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new DetectorUnavailable(`the model at ${url} answered ${response.status}`)
  }
  const hash = createHash('sha256')
  const file = await open(path, 'wx')
  let size = 0
  try {
    for await (const chunk of response.body) {
      size += chunk.length
      if (size > sizeLimit) throw new DetectorUnavailable(`the model at ${url} is over ${sizeLimit} bytes`)
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

/** A small computer takes its time; whoever takes longer is started in the usual way. */
const PATIENCE_MS = 60_000

/**
 * Whether a model can be loaded here, tried in a process of its own: then a server without prints need not hold it,
 * and still knows. Returns its name, or null when it could not be loaded, for whatever reason.
 */
function proveModel(backend: Backend): Promise<string | null> {
  return new Promise((resolve) => {
    const child = fork(new URL('./prove.child.ts', import.meta.url), { stdio: 'ignore', execArgv: [] })
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    const end = (name: string | null): void => {
      clearTimeout(timer)
      resolve(name)
    }
    child.once('message', (name) => end(typeof name === 'string' ? name : null))
    child.once('error', () => end(null))
    child.once('exit', () => end(null))
    child.send(backend, (error) => error && end(null))
  })
}

/** A model that could not be fetched is asked for again this often; until then the detector says that it is down. */
const RETRY_MS = 60_000

/** The folder of the model that DETECTOR=vigil loads: the operator's own, or the one that ships. */
export const modelFolderOf = ({ DETECTOR_MODEL_FOLDER }: Config): string =>
  DETECTOR_MODEL_FOLDER === undefined ? SHIPPED_MODEL : resolve(DETECTOR_MODEL_FOLDER)

/**
 * The detector that the configuration names: the model that ships, another of that shape in a folder, or the
 * operator's own download (docs/rules/watch.md 2, docs/detector.md). Never fails: a model that is missing or does not fit
 * is a detector that is down, and says why.
 */
export async function openConfiguredDetector(
  config: Config,
  signal: AbortSignal,
  log: Pick<Logger, 'warn'>,
): Promise<Detector> {
  const workers = config.DETECTOR_WORKERS === undefined ? {} : { workers: config.DETECTOR_WORKERS }
  if (config.DETECTOR === 'vigil') {
    const backend = { kind: 'vigil', folder: modelFolderOf(config) } as const
    const detector = await openDetector({ backend, proven: await proveModel(backend), ...workers })
    const { error } = detector.health()
    if (error) log.warn({ reason: error }, 'the model could not be loaded: prints are not watched')
    return detector
  }
  const sha256 = config.DETECTOR_MODEL_SHA256 ?? ''
  const folder = join(config.dataFolder, 'models')
  const fetchModel = () => downloadModel(config.DETECTOR_MODEL_URL ?? '', sha256, folder, signal)
  await fetchModel().catch((error: unknown) => {
    log.warn({ err: error }, 'the model could not be fetched')
    void keepTrying(fetchModel, signal)
  })
  const path = join(folder, `${sha256.toLowerCase()}.onnx`)
  const backend = { kind: 'obico', path, sha256 } as const
  return await openDetector({ backend, proven: await proveModel(backend), ...workers })
}

/** The detector's own back-off finds the file once it is there. */
async function keepTrying(fetchModel: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await sleep(RETRY_MS, undefined, { signal, ref: false })
      await fetchModel()
      return
    } catch {
      if (signal.aborted) return
    }
  }
}
