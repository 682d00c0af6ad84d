#include "tools/run_session.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <new>
#include <system_error>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/diagnostics/render.h"
#include "jit/host/out_of_memory.h"
#include "jit/runtime/fault.h"
#include "jit/runtime/machine.h"
#include "tools/interrupt.h"
#include "tools/output.h"
#include "tools/terminal.h"

namespace rlc::tools {

namespace {

void warnOfNan(const RunOutput& output, const RunSummary& summary) {
  if (output.nanReport().empty()) return;
  std::cerr << "rlc: warning: " << output.nanReport() << " is NaN";
  if (!summary.firstNan.empty()) std::cerr << "; the first NaN came up in " << summary.firstNan;
  std::cerr << "\n";
}

}  // namespace

Status outputLost() {
  std::cerr << "rlc: the output could not be written\n";
  return kFault;
}

namespace {

Status endStatus(const RunOutput& output, const RunSummary& summary) {
  if (!output.saveError().empty()) {
    std::cerr << "rlc: " << output.saveError() << "\n";
    return kFault;
  }
  if (output.failed()) return outputLost();
  return summary.end == runtime::RunEnd::Stopped ? kInterrupted : kOk;
}

int reportBug(const std::string& what) {
  std::cerr << "rlc: internal error: " << what
            << "\nThis is a mistake in rlc, not in your program. Please report it, with the "
               "program and this message.\n";
  return kInternalError;
}

}  // namespace

void addShowOptions(CLI::App& app, ShowOptions& options) {
  app.add_flag("--json", options.json, "results as JSON, an object a line");
  app.add_flag("--quiet", options.quiet, "no progress line and no warnings");
  app.add_flag("--check-nan", options.checkNan,
               "say where the first NaN came up when a report is NaN (default: on)");
  app.add_flag_callback(
      "--no-check-nan", [&options] { options.checkNan = false; }, "do not look for it");
}

Status runAndShow(
    const ShowOptions& options, const diagnostics::SourceMap& sources,
    const std::function<RunSummary(runtime::SinkOutput&, const runtime::RunControl&)>& run) {
  ProgressLine progress(stderrIsTerminal() && !options.quiet);
  RunOutput::Options outputOptions;
  outputOptions.json = options.json;
  outputOptions.thin = stdoutIsTerminal() && stderrIsTerminal() && !options.json && !options.quiet;
  outputOptions.seed = options.seed;
  RunOutput output(std::cout, progress, outputOptions);
  runtime::RunControl control;
  control.stop = interrupted;
  control.progress = [&](const runtime::IndexProgress& at) { progress.update(at); };
  RunSummary summary;
  try {
    summary = run(output, control);
    output.finish();
  } catch (const runtime::RuntimeFault& fault) {
    output.finish();
    std::cerr << diagnostics::render(fault.diagnostic(), sources,
                                     {stderrHasColor(), terminalWidth()});
    return kFault;
  } catch (const runtime::DeviceError&) {
    output.finish();  // what came before the failure stays
    throw;
  } catch (const std::bad_alloc&) {
    output.finish();
    throw;
  }
  if (options.checkNan && !options.quiet) warnOfNan(output, summary);
  return endStatus(output, summary);
}

int withMessages(const std::string& program, const std::function<int()>& command) {
  try {
    return command();
  } catch (const UsageError& error) {
    std::cerr << program << ": " << error.what() << "\n";
    return kUsageError;
  } catch (const runtime::DeviceError& error) {
    std::cerr << program << ": " << error.what() << "\n";
    return kFault;
  } catch (const InternalError& error) {
    return reportBug(error.what());
  } catch (const std::bad_alloc&) {
    std::cerr << program << ": " << host::kOutOfMemory << "\n";
    return kFault;
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) return reportBug(error.what());
    std::cerr << program << ": " << host::kNoThread << "\n";
    return kFault;
  } catch (const std::exception& error) {
    return reportBug(error.what());
  }
}

}  // namespace rlc::tools
