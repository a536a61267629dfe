import type { OptionTable, OptionValues } from "../../shared/options.ts";
import { deviceAgentOptions } from "../config.ts";

/** As the device agent is started, so that it looks at the same phones by the same rules. */
export const doctorOptions = {
  ...deviceAgentOptions,
  gateway: {
    ...deviceAgentOptions.gateway,
    schema: deviceAgentOptions.gateway.schema.optional(),
    description: "Address of the gateway; left out, the way to it is not checked.",
  },
} as const satisfies OptionTable;

export type DoctorConfig = OptionValues<typeof doctorOptions>;
