/** A head line and bytes, as one message. */
export function frame(head: string, body: Buffer | null): Buffer {
  const line = Buffer.from(`${head}\n`, 'latin1')
  return body === null ? line : Buffer.concat([line, body])
}

/** The words of the head line and the bytes after it. */
export function unframe(message: Buffer): { head: string[]; body: Buffer } {
  const end = message.indexOf(10)
  return { head: message.toString('latin1', 0, end).split(' '), body: message.subarray(end + 1) }
}

interface Waiting {
  finish(answer: Buffer | null): void
  failures: number
  nodes: number
}

/** Questions of this node that wait for an answer. */
export interface Questions {
  ask(ms: number): { id: number; answer: Promise<Buffer | null>; heardBy: (nodes: number) => void }
  /** Takes a message of the answers' topic. */
  settle(message: Buffer): void
  close(): void
}

/**
 * Keeps the questions: the first answer wins; when every node that heard it has failed, or none has heard it,
 * null at once; else null in the end.
 */
export function createQuestions(): Questions {
  const waiting = new Map<number, Waiting>()
  let last = 0
  const giveUpWhenAllFailed = (question: Waiting) => {
    if (question.failures >= question.nodes) question.finish(null)
  }
  return {
    ask(ms) {
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<Buffer | null>()
      const question: Waiting = {
        failures: 0,
        nodes: Number.POSITIVE_INFINITY,
        finish(answer) {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(answer)
        },
      }
      const timer = setTimeout(question.finish, ms, null)
      waiting.set(id, question)
      const heardBy = (nodes: number) => {
        question.nodes = nodes
        giveUpWhenAllFailed(question)
      }
      return { id, answer: promise, heardBy }
    },
    settle(message) {
      const { head, body } = unframe(message)
      const question = waiting.get(Number(head[0]))
      if (question === undefined) return
      if (head[1] === 'ok') return question.finish(body)
      question.failures++
      giveUpWhenAllFailed(question)
    },
    close() {
      for (const question of waiting.values()) question.finish(null)
    },
  }
}
