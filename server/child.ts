/** The process that serves: started, given the door and stopped by the supervisor (supervisor.ts). */
import { answerKeeper } from './supervisor/answer.ts'

answerKeeper(async () => (await import('./serve.ts')).program)
