import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDeviceList } from "../../../device-agent/adb/server/device-list.ts";

const seen = (text: string) =>
  parseDeviceList(text).map(({ serial, state, transportId }) => [serial, state, transportId]);

test("every row is shown with its state", () => {
  const text = [
    "0A1B2C3D               device usb:1-2 product:panther model:Pixel_7 device:panther transport_id:3",
    "emulator-5554          offline transport_id:4",
    "R58M123ABC             unauthorized usb:1-4 transport_id:5",
    "192.168.1.5:5555       authorizing transport_id:6",
    "HT4A1JT00001           no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html] usb:1-3 transport_id:7",
    "adb-R3CN70-aB1cD2._adb-tls-connect._tcp. connecting transport_id:8",
    "FA6A00                 recovery usb:3-1.2 product:x model:y device:z transport_id:9",
  ].join("\n");
  expect(seen(text)).toEqual([
    ["0A1B2C3D", "device", "3"],
    ["emulator-5554", "offline", "4"],
    ["R58M123ABC", "unauthorized", "5"],
    ["192.168.1.5:5555", "authorizing", "6"],
    [
      "HT4A1JT00001",
      "no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]",
      "7",
    ],
    ["adb-R3CN70-aB1cD2._adb-tls-connect._tcp.", "connecting", "8"],
    ["FA6A00", "recovery", "9"],
  ]);
});

test("a row says what a person can do about its state", () => {
  const [row] = parseDeviceList("X1 unauthorized transport_id:1");
  expect(row?.hint).toBe("Unlock the phone and accept the USB debugging prompt.");
  expect(parseDeviceList("X1 device transport_id:1")[0]?.hint).toBeUndefined();
  expect(parseDeviceList("X1 sleepwalking transport_id:1")[0]?.hint).toMatch(/not ready for use/);
});

test("a serial with spaces is kept whole", () => {
  expect(seen("My Cheap Phone 01      device product:p model:M_1 device:d transport_id:12")).toEqual([
    ["My Cheap Phone 01", "device", "12"],
  ]);
});

test("a row without a transport id hides no other row", () => {
  expect(seen("old-phone\tdevice\nnew-phone device transport_id:2\n")).toEqual([
    ["old-phone", "device", undefined],
    ["new-phone", "device", "2"],
  ]);
});

test("a phone without a serial is shown too", () => {
  expect(seen("????????????           no permissions usb:1-1 transport_id:1")).toEqual([
    ["????????????", "no permissions", "1"],
  ]);
  expect(seen("(no serial number)     unauthorized usb:1-1 transport_id:1")).toEqual([
    ["(no serial number)", "unauthorized", "1"],
  ]);
});

test("a USB path without its name and a model are read", () => {
  const [row] = parseDeviceList("0123456789ABCDEF       device 1-2.3 product:full model:Redmi_Note_9 device:merlin");
  expect(row).toMatchObject({ serial: "0123456789ABCDEF", state: "device", usb: "1-2.3", model: "Redmi Note 9" });
});

test("chatter of a starting server is no phone", () => {
  const text =
    "* daemon not running; starting now at tcp:5037\n* daemon started successfully\nList of devices attached\nabc\tdevice\n\n";
  expect(seen(text)).toEqual([["abc", "device", undefined]]);
});

test("whatever lines stand around, the good rows are found", () => {
  const junk = fc.string({ maxLength: 40 }).filter((line) => !/\sdevice(\s|$)/.test(line));
  fc.assert(
    fc.property(fc.array(junk, { maxLength: 6 }), fc.array(junk, { maxLength: 6 }), (before, after) => {
      const rows = parseDeviceList([...before, "good-1 device transport_id:41", ...after].join("\n"));
      expect(rows.some((row) => row.serial === "good-1" && row.transportId === "41")).toBe(true);
    }),
  );
});
