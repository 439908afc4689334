package guard

import "net"

func (o *owners) judge(net.Conn) verdict { return unclear }
