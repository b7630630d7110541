import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useBootstrap } from '../../lib/session.ts'
import { rungsOf, useInUse, useVideo, type Video } from '../../video/index.ts'
import { agentCan } from '../driver/versions.ts'
import { sendAccount } from '../live/account-line.ts'
import { sendLive } from '../live/printer-line.ts'
import { readStatus } from '../status.ts'
import { type Camera, isMoving, isThere } from './camera.ts'
import { useFreshStill } from './useFreshStill.ts'

/**
 * A camera's video for its owner (docs/rules/pages.md 9): it plays by itself where the plan lets it play on, and for a while after a
 * press where it doesn't. `onScreen`: there is a place on the screen that shows it.
 */
export function useCameraVideo(printer: Printer, camera: Camera, onScreen: boolean): Video {
  const { user, settings } = useBootstrap()
  const plays = !settings.IS_ENT || user?.is_pro === true
  const possible = onScreen && isThere(printer)
  const video = useVideo({
    path: `/ws/janus/${printer.id}/`,
    rungs: rungsOf(camera.stream, camera.primary),
    why: agentCan(printer, 'webrtc') ? null : 'agentOld',
    auto: plays,
    possible,
    cycleKey: plays ? null : `tsNextVideoCycle-${printer.id}`,
  })
  const sendsByItself = readStatus(printer)?.printing === true
  const isLooked = useInUse() && possible && camera.primary
  const isWanted = isLooked && !sendsByItself && !isMoving(video.shown)
  useFreshStill(isWanted, () => sendLive(printer.id, { still: true }) || sendAccount({ still: [printer.id] }))
  return video
}
