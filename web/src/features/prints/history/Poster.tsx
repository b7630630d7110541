import { IconPhotoOff } from '@tabler/icons-react'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import styles from './History.module.css'

/** The picture of a print, or a place for it. */
export function Poster({ print }: { print: Pick<Print, 'poster_url'> }) {
  const [broken, setBroken] = useState<string | null>(null)
  const { poster_url: src } = print
  return (
    <span className={styles.poster}>
      {src && broken !== src ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(src)}
        />
      ) : (
        <IconPhotoOff size={20} stroke={1.5} aria-hidden />
      )}
    </span>
  )
}
