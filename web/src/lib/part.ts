import { useCallback, useEffect, useState } from 'react'
import { askServer, onLineBack } from './line.ts'
import { report } from './report.ts'

/** Which build this page is of, so that it is loaded anew once for one and no more. */
const BUILD = import.meta.url
const KEY = 'reloaded-build'

/** Loads the page anew, unless that was tried for this build. False when it stays. */
function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(KEY) === BUILD) return false
    sessionStorage.setItem(KEY, BUILD)
  } catch {
    return false
  }
  location.reload()
  return true
}

/** Something that is loaded when it is wanted: there for good once it came. */
export interface Part<T> {
  now: () => T | null
  load: () => Promise<T>
}

/** Loads once; what failed is loaded anew the next time. */
export function part<T>(load: () => Promise<T>): Part<T> {
  let found: T | null = null
  let loading: Promise<T> | null = null
  return {
    now: () => found,
    load() {
      loading ??= load().then(
        (value) => (found = value),
        (error: unknown) => {
          loading = null
          throw error
        },
      )
      return loading
    },
  }
}

type Failure = 'offline' | 'gone'

/** Loads it, a second time where the server is there. False: it came. */
async function failureOf(wanted: Part<unknown>, isWanted: () => boolean): Promise<Failure | false> {
  try {
    await wanted.load()
    return false
  } catch {
    if (!(await askServer())) return 'offline'
  }
  try {
    await wanted.load()
    return false
  } catch (error) {
    // Never settles: the page is on its way.
    if (isWanted() && reloadOnce()) return await new Promise(() => {})
    report(error)
    return 'gone'
  }
}

/**
 * Loads a part while it stands; `value` is null until it came. Without the line it waits for it and tries again. Where
 * the server is there and the part is not, the page is of an older build: it is loaded anew, once.
 */
export function usePart<T>(wanted: Part<T>) {
  const [value, setValue] = useState(wanted.now)
  const [failed, setFailed] = useState<Failure | false>(false)
  const [turn, setTurn] = useState(0)
  const retry = useCallback(() => {
    setFailed(false)
    setTurn((count) => count + 1)
  }, [])

  useEffect(() => {
    let here = true
    void failureOf(wanted, () => here).then((failure) => {
      if (!here) return
      setFailed(failure)
      if (!failure) setValue(wanted.now)
    })
    return () => {
      here = false
    }
  }, [wanted, turn])

  useEffect(() => (failed === 'offline' ? onLineBack(retry) : undefined), [failed, retry])

  return { value, failed, retry }
}
