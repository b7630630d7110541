import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Printer, getHeat } from '@vigil/contract/printers/printers.ts'
import { type ReactNode, useMemo } from 'react'
import { call } from '../../../lib/call.ts'
import { ms } from '../../../lib/format.ts'
import { CameraPicture } from '../../../printer/camera/CameraPicture.tsx'
import { useLayer } from '../../../printer/camera/layers.ts'
import { PlayButton, type Video, VideoTags, VideoTools } from '../../../video/index.ts'
import { ZoneShapes, zonesQuery } from '../zones/index.ts'
import { heatImage } from './heat.ts'
import { OtherCamera } from './OtherCamera.tsx'
import type { View } from './views.ts'

/** A map of an older look would lie about the picture under it. */
const SAME_SCENE_MS = 60_000

/** What the owner wants to see on the picture of the main camera: heat, then ignore zones. */
function Layers({ printer, ofAlert }: { printer: Printer; ofAlert: boolean }) {
  const [showsZones] = useLayer('zones')
  const [showsHeat] = useLayer('heat')
  return (
    <>
      {showsHeat && <HeatLayer printer={printer} ofAlert={ofAlert} />}
      {showsZones && <ZoneLayer printerId={printer.id} />}
    </>
  )
}

function ZoneLayer({ printerId }: { printerId: number }) {
  const { data } = useQuery(zonesQuery(printerId))
  return data && data.zones.length > 0 ? <ZoneShapes zones={data.zones} faint /> : null
}

function HeatLayer({ printer, ofAlert }: { printer: Printer; ofAlert: boolean }) {
  const pictureAt = ofAlert ? printer.alert_pic?.taken_at : printer.watch.picture_at
  const stamp = ofAlert ? pictureAt : printer.watch.checked_at
  const { data } = useQuery(heatQuery(printer.id, { ofAlert, stamp: stamp ?? null }))
  const image = useMemo(() => (data ? heatImage(data) : null), [data])
  const apart = Math.abs((ms(pictureAt) ?? 0) - (ms(data?.taken_at) ?? 0))
  if (!image || apart > SAME_SCENE_MS) return null
  return <image href={image} width="1" height="1" preserveAspectRatio="none" />
}

/** `stamp` moves with each look, so that the map is read again after it. */
function heatQuery(printerId: number, { ofAlert, stamp }: { ofAlert: boolean; stamp: string | null }) {
  return queryOptions({
    queryKey: ['heat', printerId, ofAlert, stamp] as const,
    queryFn: () => call(getHeat, { params: { id: printerId }, query: ofAlert ? { alert: 'true' } : {} }),
    staleTime: Infinity,
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  })
}

interface BigPictureProps {
  printer: Printer
  view: View
  video: Video
  frameRatio: number
  /** What it is called, among several. */
  name: ReactNode
  onSave: () => void
  onFloat: () => void
}

/** The picture in the big place, moving where it can, with what is known of it and can be done with it. */
export function BigPicture({ printer, view, video, frameRatio, name, onSave, onFloat }: BigPictureProps) {
  const isLive = view.kind === 'live'
  const corners = {
    topLeft: (
      <>
        {name}
        {isLive && <VideoTags video={video} />}
      </>
    ),
    bottomLeft: <VideoTools video={video} onSave={onSave} onFloat={onFloat} />,
    center: isLive && <PlayButton video={video} />,
  }
  if (!view.camera.primary)
    return (
      <OtherCamera
        key={view.key}
        printer={printer}
        camera={view.camera}
        frameRatio={frameRatio}
        video={video}
        {...corners}
      />
    )
  return (
    <CameraPicture
      printer={printer}
      live={isLive}
      frameRatio={frameRatio}
      overlay={<Layers printer={printer} ofAlert={!isLive} />}
      video={isLive ? video : undefined}
      {...corners}
    />
  )
}
