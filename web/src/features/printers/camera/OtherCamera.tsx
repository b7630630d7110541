import { Box, Button, Flex } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useNow, serverNow } from '../../../lib/clock.ts'
import { toast } from '../../../lib/toast.ts'
import { type Camera, FRESH_IDLE_MS, orientation } from '../../../printer/camera/camera.ts'
import { useTurn } from '../../../printer/camera/useTurn.ts'
import type { Driver } from '../../../printer/driver/driver.ts'
import { type Speaker, useDriver } from '../../../printer/driver/useDriver.ts'
import { PictureTag } from '../../../ui/PictureTag.tsx'
import { Snapshot } from '../../../ui/Snapshot.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { movingOf, type Video } from '../../../video/index.ts'

/** A picture that was asked for, and when it came. */
interface Still {
  src: string
  at: number
}

/** What is kept of it lasts as long as this page. */
const KEPT_MS = 30 * 60_000

/**
 * A single picture of a camera that sends none by itself, where its agent can be asked for one (docs/wire/agents.md 7.2,
 * `web_snapshot_request`). `ask` is null where it can't.
 */
function useStill(printer: Printer, camera: Camera) {
  const { t } = useTranslation('camera')
  const { driver, run } = useDriver(printer)
  const { still } = driver
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['still', printer.id, camera.key],
    queryFn: () => take(driver, run, camera.name),
    enabled: false,
    retry: false,
    staleTime: Infinity,
    gcTime: KEPT_MS,
  })
  const canAsk = still !== null && camera.name !== '' && printer.status !== null
  async function ask() {
    const { data: came } = await refetch()
    if (came?.kind === 'unknown') toast(t('still.unknown', { name: camera.name }), 'failed')
    if (came?.kind === 'broken') toast(t('still.broken'), 'failed')
  }
  return { still: data?.kind === 'came' ? data.still : null, asking: isFetching, ask: canAsk ? ask : null }
}

type Taken = { kind: 'came'; still: Still } | { kind: 'unknown' | 'broken' | 'refused' }

async function take({ still, snapshot }: Driver, run: Speaker['run'], name: string): Promise<Taken> {
  if (still === null) return { kind: 'unknown' }
  const told = await run(still.cameras())
  if (!told.done) return { kind: 'refused' }
  const camera = still.addresses(told.ret).find((each) => each.name === name)
  if (camera === undefined) return { kind: 'unknown' }
  const shot = await run(snapshot.shoot(camera.address))
  if (!shot.done) return { kind: 'refused' }
  const src = snapshot.picture(shot.ret)
  return src === null ? { kind: 'broken' } : { kind: 'came', still: { src, at: serverNow() } }
}

interface OtherCameraProps {
  printer: Printer
  camera: Camera
  frameRatio: number
  topLeft: ReactNode
  bottomLeft: ReactNode
  center: ReactNode
  video: Video
}

/** A camera whose pictures nobody sends: one can be asked for, where the agent takes it. */
export function OtherCamera({ printer, camera, frameRatio, video, ...corners }: OtherCameraProps) {
  const { t } = useTranslation('camera')
  const now = useNow()
  const { ago, moment } = useTimeText()
  const [turn] = useTurn(printer.id, camera)
  const { still, asking, ask } = useStill(printer, camera)
  const moving = movingOf(video, t('altVideo', { name: printer.name }))
  const old = still !== null && now - still.at > FRESH_IDLE_MS
  const button = ask && (
    <Button size="xs" loading={asking} onClick={() => void ask()}>
      {t(still ? 'still.again' : 'still.ask')}
    </Button>
  )
  return (
    <Snapshot
      {...corners}
      moving={moving}
      src={still?.src ?? null}
      alt={t('alt', { name: printer.name })}
      orientation={{
        ...orientation(camera, turn),
        ratio: still || moving?.size ? frameRatio : Math.max(frameRatio, 16 / 9),
      }}
      stale={old}
      bottomRight={
        still &&
        !moving?.size && (
          <Flex component="span" align="center" gap={8}>
            {button}
            <PictureTag>
              {old ? t('from', { moment: moment(still.at) }) : ago((now - still.at) / 1000)}
            </PictureTag>
          </Flex>
        )
      }
      empty={
        <>
          {t('none')}
          <br />
          <small>{t('mainOnly')}</small>
          {button && (
            <Box component="p" mt={12}>
              {button}
            </Box>
          )}
        </>
      }
    />
  )
}
