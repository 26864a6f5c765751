/**
 * Programs that run the verifiers in docs/webhooks.md. Each reads one vector per line and prints 1 for genuine, 0 for not,
 * and error if the verifier rejects the secret. A line has the header, secret and body in Base64 and the time, separated by
 * spaces; a dash means empty.
 */
export type Driver = {
  language: string
  title: string
  /** The verifier's function name. */
  name: string
  /** The program that must be installed, and arguments that make it exit with 0. */
  needs: [program: string, ...args: string[]]
  files(snippet: string): Record<string, string>
  run: [program: string, ...args: string[]]
}

export const drivers: Driver[] = [
  {
    language: 'python',
    title: 'Python',
    name: 'is_genuine',
    needs: ['python3', '--version'],
    files: (snippet) => ({
      'verify.py': `${snippet}
import base64
import sys

for line in sys.stdin:
    header, secret, body, now = line.split()
    decode = lambda text: b"" if text == "-" else base64.b64decode(text)
    try:
        print(1 if is_genuine(decode(body), decode(header).decode(), decode(secret).decode(), int(now)) else 0)
    except ValueError:
        print("error")
`,
    }),
    run: ['python3', 'verify.py'],
  },
  {
    language: 'ruby',
    title: 'Ruby',
    name: 'genuine?',
    needs: ['ruby', '--version'],
    files: (snippet) => ({
      'verify.rb': `${snippet}
$stdin.each_line do |line|
  header, secret, body, now = line.split
  decode = ->(text) { text == "-" ? "" : text.unpack1("m") }
  puts genuine?(decode.(body), decode.(header), decode.(secret), now.to_i) ? 1 : 0
rescue ArgumentError
  puts "error"
end
`,
    }),
    run: ['ruby', 'verify.rb'],
  },
  {
    language: 'go',
    title: 'Go',
    name: 'IsGenuine',
    needs: ['go', 'version'],
    files: (snippet) => ({
      'verifier.go': snippet.replace('package webhooks', 'package main'),
      'main.go': `package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 4_000_000)
	for lines.Scan() {
		parts := strings.Fields(lines.Text())
		decode := func(text string) []byte {
			bytes, _ := base64.StdEncoding.DecodeString(strings.Trim(text, "-"))
			return bytes
		}
		now, _ := strconv.ParseInt(parts[3], 10, 64)
		report(decode(parts[2]), string(decode(parts[0])), string(decode(parts[1])), time.Unix(now, 0))
	}
}

func report(rawBody []byte, header, secret string, now time.Time) {
	defer func() {
		if recover() != nil {
			fmt.Println("error")
		}
	}()
	if IsGenuine(rawBody, header, secret, now) {
		fmt.Println(1)
	} else {
		fmt.Println(0)
	}
}
`,
    }),
    run: ['go', 'run', 'main.go', 'verifier.go'],
  },
  {
    language: 'php',
    title: 'PHP',
    name: 'is_genuine',
    needs: ['php', '--version'],
    files: (snippet) => ({
      'verify.php': `${snippet}
while (($line = fgets(STDIN)) !== false) {
    [$header, $secret, $body, $now] = explode(' ', trim($line));
    $decode = fn (string $text) => $text === '-' ? '' : base64_decode($text);
    try {
        echo is_genuine($decode($body), $decode($header), $decode($secret), (int) $now) ? 1 : 0, PHP_EOL;
    } catch (InvalidArgumentException) {
        echo 'error', PHP_EOL;
    }
}
`,
    }),
    run: ['php', 'verify.php'],
  },
  {
    language: 'java',
    title: 'Java',
    name: 'isGenuine',
    needs: ['java', '--version'],
    files: (snippet) => ({
      // Java runs the first class in a file.
      'Verify.java': snippet.replace(
        'final class',
        `class Verify {
  public static void main(String[] args) throws Exception {
    java.util.Scanner lines = new java.util.Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] parts = lines.nextLine().split(" ");
      String header = new String(decode(parts[0]), StandardCharsets.UTF_8);
      String secret = new String(decode(parts[1]), StandardCharsets.UTF_8);
      try {
        boolean genuine = WebhookSignature.isGenuine(decode(parts[2]), header, secret, Long.parseLong(parts[3]));
        System.out.println(genuine ? 1 : 0);
      } catch (IllegalArgumentException fault) {
        System.out.println("error");
      }
    }
  }

  static byte[] decode(String text) {
    return text.equals("-") ? new byte[0] : java.util.Base64.getDecoder().decode(text);
  }
}

final class`,
      ),
    }),
    run: ['java', 'Verify.java'],
  },
  {
    language: 'csharp',
    title: 'C#',
    name: 'IsGenuine',
    needs: ['dotnet', '--version'],
    files: (snippet) => ({
      'verify.csproj': `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>netcoreapp$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework>
  </PropertyGroup>
</Project>
`,
      'Verify.cs': `${snippet}
class Program
{
    static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var parts = line.Split(' ');
            try
            {
                var genuine = WebhookSignature.IsGenuine(
                    Decode(parts[2]), Text(parts[0]), Text(parts[1]), long.Parse(parts[3]));
                Console.WriteLine(genuine ? 1 : 0);
            }
            catch (ArgumentException)
            {
                Console.WriteLine("error");
            }
        }
    }

    static string Text(string part) => Encoding.UTF8.GetString(Decode(part));

    static byte[] Decode(string part) => part == "-" ? new byte[0] : Convert.FromBase64String(part);
}
`,
    }),
    run: ['dotnet', 'run', '--project', 'verify.csproj'],
  },
  {
    language: 'perl',
    title: 'Perl',
    name: 'is_genuine',
    needs: ['perl', '-MDigest::SHA', '-e', '1'],
    files: (snippet) => ({
      'verify.pl': `${snippet}
use MIME::Base64;
while (my $line = <STDIN>) {
    my ($header, $secret, $body, $now) = map { $_ eq '-' ? '' : $_ } split ' ', $line;
    my $verdict = eval { is_genuine(decode_base64($body), decode_base64($header), decode_base64($secret), $now) };
    print $verdict // 'error', "\\n";
}
`,
    }),
    run: ['perl', 'verify.pl'],
  },
  {
    language: 'sh',
    title: 'Shell',
    name: 'is_genuine()',
    needs: ['openssl', 'version'],
    files: (snippet) => ({
      'verify.sh': `${snippet}
decode() { if [ "$1" != - ]; then printf '%s' "$1" | openssl base64 -d -A; fi; }
while read -r header secret body now; do
  decode "$body" > body.json
  # Kept from the shell, which takes line ends off what a command prints.
  key=$(decode "$secret"; echo .)
  is_genuine body.json "$(decode "$header")" "\${key%.}" "$now"
  case $? in 0) echo 1 ;; 1) echo 0 ;; *) echo error ;; esac
done
`,
    }),
    run: ['sh', 'verify.sh'],
  },
]
