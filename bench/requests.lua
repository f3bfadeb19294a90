-- Sends the requests of a list file in turn and prints what wrk measured as one line of JSON.
-- A line of the file is METHOD, path and body (may be empty), separated by tabs. One thread only, so that every
-- server gets the same requests in the same order.

local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^([^\t]*)\t([^\t]*)\t(.*)$")
    local headers = nil
    if body == "" then
      body = nil
    else
      headers = { ["content-type"] = "application/json" }
      for name, value in pairs(wrk.headers) do headers[name] = value end
    end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"non2xx":%d,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
