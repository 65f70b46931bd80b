import type { Server } from "@modelcontextprotocol/server";
import { buildFaceServer } from "./build-face-server.ts";
import type { McpServerFaceOptions } from "./face-options.ts";
import { type FaceSession, openFaceSession } from "./face-session.ts";
import { ResultQuestions } from "./result-questions.ts";

/** Which protocol the client of a server object speaks: that of 2025 or that of 2026. */
export type FaceEra = "legacy" | "modern";

/** The MCP face of code mode, independent of the transport. */
export interface McpServerFace {
  /** A new client: a session and an agent run of its own. The caller ends them when the client goes. */
  openSession(): FaceSession;
  /** A server object for one connection or one request of a session; give it to the SDK's `serveStdio` or HTTP handler. */
  createServer(session: FaceSession, era: FaceEra): Server;
}

/** Makes the parts that stdio and HTTP serve alike. */
export function createMcpServerFace(options: McpServerFaceOptions): McpServerFace {
  const questions = options.questions === undefined ? undefined : new ResultQuestions(options.questions);
  return {
    openSession: () => openFaceSession(options),
    createServer: (session, era) =>
      buildFaceServer({ session, options, questions: era === "modern" ? questions : undefined }),
  };
}
