import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { ReactNode } from 'react'
import { CameraPicture } from '../../../printer/camera/CameraPicture.tsx'
import { PlayButton, type Video, VideoTags, VideoTools } from '../../../video/index.ts'
import { Layers } from './Layers.tsx'
import { OtherCamera } from './OtherCamera.tsx'
import type { View } from './views.ts'

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
