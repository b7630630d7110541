import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { loadModel, readChecked } from '../../engines/inference/card.ts'
import { modelFolderOf } from '../../engines/inference/configured.ts'
import { ffmpegVersion } from '../../engines/programs/ffmpeg.ts'
import { openSlicer, slicerOf } from '../../engines/slicer/index.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'
import { textOf } from '../../lib/thrown.ts'

/** The detector's model is there and is the one its card or the configuration names. */
export async function checkModel(config: Config): Promise<Finding> {
  if (config.DETECTOR === 'vigil') {
    try {
      const { card, bytes } = await loadModel(modelFolderOf(config))
      return fine(
        `${card.name} ${card.version}, ${(bytes.length / 1024).toFixed(0)} KB, hash as its card says.`,
      )
    } catch (error) {
      const advice =
        config.DETECTOR_MODEL_FOLDER === undefined
          ? 'Restore server/engines/inference/model from the repository.'
          : 'Correct DETECTOR_MODEL_FOLDER, or remove it for the model that ships.'
      return broken(textOf(error), `Prints would not be watched. ${advice}`)
    }
  }
  const sha256 = config.DETECTOR_MODEL_SHA256 ?? ''
  const path = join(config.dataFolder, 'models', `${sha256}.onnx`)
  if (!(await stat(path).catch(() => null))) {
    return doubtful(
      `The model of DETECTOR_MODEL_URL is not downloaded yet.`,
      'The server does so when it starts.',
    )
  }
  try {
    const bytes = await readChecked(path, sha256)
    return fine(`${path}, ${(bytes.length / 1024 ** 2).toFixed(0)} MB, hash as configured.`)
  } catch (error) {
    return broken(textOf(error), 'Remove the file; the server downloads it again.')
  }
}

/** Slicing in the browser needs a slicer; watching does not. */
export async function checkSlicer(config: Config): Promise<Finding> {
  const orca = slicerOf({ config, stopping: new AbortController().signal }, 'orca')
  const second = await orca?.version().catch(() => null)
  if (second === null)
    return doubtful(
      `${config.ORCA_SLICER_PROGRAM} cannot be run as OrcaSlicer; its printers cannot be sliced for.`,
      'Correct ORCA_SLICER_PROGRAM, or remove it.',
    )
  const slicer = openSlicer({ config, stopping: new AbortController().signal })
  let name: string | null
  try {
    name = await slicer.version()
  } catch {
    return doubtful(
      'PrusaSlicer is here, but does not answer in time.',
      'Look again when this machine has less to do.',
    )
  }
  if (name === null)
    return doubtful(
      config.SLICER_PROGRAM === undefined
        ? 'There is no PrusaSlicer; files are printed, but models cannot be sliced here.'
        : `${config.SLICER_PROGRAM} cannot be run as PrusaSlicer; models cannot be sliced here.`,
      config.SLICER_PROGRAM === undefined
        ? './vigil slicer install, or the button on the page /ent/slice_settings/'
        : 'Correct SLICER_PROGRAM, or remove it.',
    )
  const bundles = (await readdir(slicer.profiles).catch(() => [])).filter((one) => one.endsWith('.ini'))
  if (bundles.length === 0)
    return doubtful(
      `${name}, but there are no profiles of printers in ${slicer.profiles}.`,
      'Name the folder of its vendors’ profiles in SLICER_PROFILES.',
    )
  return fine(
    `${name}, profiles of ${bundles.length} makers of printers${second === undefined ? '' : `; ${second}`}.`,
  )
}

/** Time-lapse videos need ffmpeg; watching does not. */
export async function checkFfmpeg(): Promise<Finding> {
  try {
    return fine(`${await ffmpegVersion({ stopping: new AbortController().signal })}.`)
  } catch {
    return doubtful(
      'There is no ffmpeg; prints are watched, but time-lapses cannot be made.',
      'apt install ffmpeg',
    )
  }
}
