import { getGCodeFile } from '@vigil/contract/files/gcode-files.ts'
import { getSliceJob, type SliceJob, sliceMeshes, type SliceParams } from '@vigil/contract/slice/slicer.ts'
import { call, sendForm } from '../../../lib/call.ts'
import { say } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { type Bench, OTHER_PLATES } from './bench.ts'
import { pictures } from './draw.ts'
import { boxOf } from './solid.ts'

const LOOK_MS = 400

/** What the slicer says to the chat. */
export type Tell = (type: string, data: object) => void

function paramsOf(bench: Bench): SliceParams | null {
  const { models, overrides } = bench.state()
  const [filament, process] = [bench.preset('filament')?.of, bench.preset('print')?.of]
  const { machine } = bench
  const [first] = models
  if (!machine || !filament || !process || !first) return null
  const over = Object.entries({ ...overrides.print, ...overrides.filament })
  return {
    meshes: models.map(({ key, url, translate, rotate }) => ({
      meshID: key,
      url,
      translate: [...translate],
      rotate: [...rotate],
      scale: [1, 1, 1],
    })),
    slicer_profiles: {
      machine_sub_path: machine.sub_path,
      filament_sub_path: filament.sub_path,
      print_process_sub_path: process.sub_path,
    },
    profile_overwrites: Object.fromEntries(over.filter(([key]) => !OTHER_PLATES.test(key))),
    target_gcode_name: `${first.name}.gcode`,
  }
}

async function thumbnailOf(bench: Bench): Promise<Blob> {
  const { min, max } = boxOf(bench.state().models)
  const target = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: (min.z + max.z) / 2 }
  const camera_position = { x: target.x - 300, y: target.y - 700, z: target.z + 500 }
  const [drawn] = pictures(bench, [{ camera_position, target }])
  const data = drawn?.base64.split(',')[1] ?? ''
  return new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], { type: 'image/jpeg' })
}

async function ended(id: string, onShare: (share: number) => void): Promise<SliceJob> {
  for (;;) {
    const job = await call(getSliceJob, { params: { id: Number(id) } })
    if (job.status !== 'queued' && job.status !== 'running') return job
    onShare(Math.min(0.99, job.progress))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Really slices what stands on the plate, by this server's engine, and tells how that gets on. */
export async function slicePlate(bench: Bench, tell: Tell, chatId: unknown): Promise<void> {
  const params = paramsOf(bench)
  const fail = (text: string) => tell('notificationPushed', { level: 'error', text })
  if (!params || bench.state().slicing !== null) {
    fail(say('assistant:host.nothing'))
    return
  }
  const progress = (share: number) => {
    bench.set({ slicing: share })
    tell('slicingProgress', {
      percentage: share,
      text: say('assistant:host.progress', { percent: Math.round(share * 100) }),
    })
  }
  progress(0)
  try {
    const form = new FormData()
    form.set('params', JSON.stringify(params))
    if (typeof chatId === 'number' || typeof chatId === 'string') form.set('jusprint_chat_id', String(chatId))
    form.set('thumbnail', await thumbnailOf(bench), 'thumbnail.jpg')
    const begun = await sendForm(sliceMeshes, form, { wait: 0 })
    const job = 'job_id' in begun ? await ended(begun.job_id, progress) : null
    const fileId = 'gcode_file_id' in begun ? begun.gcode_file_id : (job?.gcode_file_id ?? null)
    if (fileId === null) fail(job?.error ?? say('assistant:host.cancelled'))
    else {
      bench.set({ fileId })
      for (const { key, value, used } of job?.notes ?? [])
        tell('notificationPushed', {
          level: 'warning',
          text:
            used === null
              ? say('slicing:note.left', { name: key, value })
              : say('slicing:note.used', { name: key, value, used }),
        })
      tell('slicingProgress', { percentage: 1, text: say('assistant:host.done') })
    }
  } catch (error) {
    const problem = problemOf(error)
    const detail = 'detail' in problem ? problem.detail : null
    fail(say('assistant:host.unable', { why: detail ?? problem.kind }))
  } finally {
    bench.set({ slicing: null })
  }
}

/** Takes the file that was made out of the browser, as the slicer writes it to the disk. */
export async function exportFile(bench: Bench): Promise<void> {
  const { fileId } = bench.state()
  if (fileId === null) return
  const { url, safe_filename: name } = await call(getGCodeFile, { params: { id: fileId } })
  if (!url) return
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  bench.set({ exported: name })
}
