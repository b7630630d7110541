import { type DragEvent, useEffect, useRef, useState } from 'react'

/** How a drag of our own lines is known from one of files of the desktop. */
const OURS = 'application/x-vigil-items'

/** The keys of the lines that are being dragged; a browser hands over what is dragged only with the drop. */
export function startDragging(event: DragEvent, keys: readonly string[]): void {
  event.dataTransfer.setData(OURS, JSON.stringify(keys))
  event.dataTransfer.effectAllowed = 'move'
}

interface Takes {
  /** Our own lines, by their keys. */
  readonly onItems?: (keys: string[]) => void
  /** Files of the desktop. */
  readonly onFiles?: (files: File[]) => void
}

/** Makes something take what is dropped on it; `isOver` while that is about to happen. */
export function useDropTarget({ onItems, onFiles }: Takes) {
  const [isOver, setOver] = useState(false)
  const takes = ({ dataTransfer: { types } }: DragEvent) =>
    types.includes(OURS) ? onItems !== undefined : types.includes('Files') && onFiles !== undefined
  const over = (event: DragEvent) => {
    if (!takes(event)) return
    event.preventDefault()
    setOver(true)
  }
  return {
    isOver,
    target: {
      'data-over': isOver || undefined,
      onDragEnter: over,
      onDragOver: over,
      onDragLeave: (event: DragEvent) => {
        const { currentTarget, relatedTarget: to } = event
        if (!(to instanceof Node && currentTarget.contains(to))) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!takes(event)) return
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        const ours = event.dataTransfer.getData(OURS)
        if (ours !== '') onItems?.(JSON.parse(ours) as string[])
        else onFiles?.([...event.dataTransfer.files])
      },
    },
  }
}

/** Files of the desktop that are dropped anywhere on the page, where nothing nearer takes them. True while they are over it. */
export function usePageDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const end = new AbortController()
    const { signal } = end
    const hasFiles = (event: globalThis.DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    document.addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      { signal },
    )
    document.addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), {
      signal,
    })
    // Also of what a folder takes, which stops it there.
    document.addEventListener('drop', () => setOver(false), { signal, capture: true })
    document.addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        latest.current([...(event.dataTransfer?.files ?? [])])
      },
      { signal },
    )
    return () => end.abort()
  }, [])
  return isOver
}
